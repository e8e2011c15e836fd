"""Files: atomic writes, typed tables, data-set folders. Every file that must be whole is written here."""
