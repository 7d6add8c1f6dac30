// Many more plans of an upload.
import "./upload-model.test";
