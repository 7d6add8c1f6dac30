// Everything that can be taken from the caller of each operation.
import "./operations.overtaken.test";
