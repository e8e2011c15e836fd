"""The report on scored ideas: what was measured of each, where it stands among a library's papers, and why."""
