"""The pages of sheets: measuring, filling, rendering and checking them."""
