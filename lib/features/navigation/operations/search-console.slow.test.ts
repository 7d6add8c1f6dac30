// The search of the console, with all rows.
import "./search-console.test";
