// Each operation by every wrong method.
import "./operations.test";
