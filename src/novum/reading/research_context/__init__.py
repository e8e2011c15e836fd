"""The research context of papers: ideas, groups, relations and signals, extracted by models step by step."""
