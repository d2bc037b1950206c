"""Forces and their designs: read them, price them with their working, check their limits."""
