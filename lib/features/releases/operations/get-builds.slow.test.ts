// Builds, with all rows.
import "./get-builds.test";
