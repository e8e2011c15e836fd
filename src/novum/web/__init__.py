"""The workbench: pages where researchers work on ideas with Novum, and where people judge them."""
