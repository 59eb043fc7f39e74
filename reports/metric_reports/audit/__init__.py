"""An audit and a scan as text: for a terminal, for a maintainer, for pages and for CI."""
