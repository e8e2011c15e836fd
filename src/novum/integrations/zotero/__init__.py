"""Ideas as notes in Zotero, with links to the items of their papers. Reading Zotero is `novum.literature.zotero`."""
