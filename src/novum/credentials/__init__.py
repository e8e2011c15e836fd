"""Keys and passwords: what is known to be one, texts without them, and addresses that hold them."""
