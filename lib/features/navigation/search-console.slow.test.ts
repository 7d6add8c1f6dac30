// The search of the console, with all rows.
import "./operations/search-console.test";
