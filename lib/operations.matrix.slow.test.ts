// Each operation as every kind of caller.
import "./operations.matrix.test";
