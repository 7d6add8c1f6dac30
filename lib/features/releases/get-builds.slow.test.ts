// Builds, with all rows.
import "./operations/get-builds.test";
