"""What an arena found, to be read: ratings, who beat whom, every idea, how judges lean, and whether people agree."""
