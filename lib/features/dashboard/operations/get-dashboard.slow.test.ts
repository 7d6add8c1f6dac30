// The dashboard, with all rows.
import "./get-dashboard.test";
