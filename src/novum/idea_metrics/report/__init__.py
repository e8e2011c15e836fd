"""The report on scored ideas: the scores of each, their rank among the papers of the library, and the reasons."""
