// The dashboard, with all rows.
import "./operations/get-dashboard.test";
