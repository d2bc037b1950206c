"""From rule set folders to a frozen rule set: where they are found, how layers change them."""
