"""What libraries answered when they were asked, stored."""
