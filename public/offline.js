// The page is loaded again as soon as there is a connection.
addEventListener("online", () => location.reload());
