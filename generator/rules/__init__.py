"""Rule sets: canonical tables, entry kinds, procedures and sheets, read from data and layered."""
