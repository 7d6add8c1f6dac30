// Retention, with all rows.
import "./retention.test";
