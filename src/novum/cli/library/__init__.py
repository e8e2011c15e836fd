"""`novum library`: the papers that ideas rest on."""

from novum.cli.shell.group import CommandGroup, CommandRow

GROUP = CommandGroup(
    {
        "add": CommandRow("novum.cli.library.add:add", "Add papers from services, files, PDFs and Zotero", long=True),
        "import": CommandRow(
            "novum.cli.library.add:import_files", "Add files of papers: BibTeX, RIS, JSON lines …", long=True
        ),
        "update": CommandRow("novum.cli.library.update:update", "Fetch what is new since earlier searches", long=True),
        "searches": CommandRow("novum.cli.library.update:list_searches", "List the searches that update repeats"),
        "full-texts": CommandRow(
            "novum.cli.library.full_texts:full_texts", "Fetch and read PDFs from arXiv on a topic", long=True
        ),
        "embed": CommandRow(
            "novum.cli.library.embed:embed", "Embed the whole library, also with another embedder", long=True
        ),
        "starter": CommandRow("novum.cli.library.commands:starter", "Add the starter papers", long=True),
        "search": CommandRow("novum.cli.library.commands:search", "Search papers, best first"),
        "show": CommandRow("novum.cli.library.commands:show_paper", "Show one paper and its citations"),
        "stats": CommandRow("novum.cli.library.commands:stats", "Count what the library holds"),
        "export": CommandRow(
            "novum.cli.library.commands:export_papers", "Write papers as BibTeX, RIS, CSL-JSON or JSON lines"
        ),
    },
    "The first run fills an empty library with the starter papers.",
)
