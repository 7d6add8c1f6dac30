// Each pair of classes.
import "./tailwind-classes.test";
