/** The model of compiled Android XML, which is binary XML in an .apk and protobuf in an .aab. */
import type { ResourceValue } from "./resource-table";

export const ANDROID_NAMESPACE = "http://schemas.android.com/apk/res/android";

export interface XmlAttribute {
  namespace: string;
  name: string;
  /** The id of a framework attribute, by which the platform looks it up; 0 when it has none. */
  resourceId: number;
  value: ResourceValue;
}

export interface XmlElement {
  name: string;
  attributes: XmlAttribute[];
  children: XmlElement[];
}

/** The ids of the attributes of android.R.attr that are read here. */
export const ANDROID_ATTRIBUTES = {
  label: 0x01010001,
  icon: 0x01010002,
  name: 0x01010003,
  enabled: 0x0101000e,
  debuggable: 0x0101000f,
  value: 0x01010024,
  gravity: 0x010100af,
  src: 0x01010119,
  tint: 0x01010121,
  height: 0x01010155,
  width: 0x01010159,
  drawable: 0x01010199,
  shape: 0x0101019a,
  startColor: 0x0101019d,
  endColor: 0x0101019e,
  angle: 0x010101a0,
  type: 0x010101a1,
  centerX: 0x010101a2,
  centerY: 0x010101a3,
  gradientRadius: 0x010101a4,
  color: 0x010101a5,
  left: 0x010101ad,
  top: 0x010101ae,
  right: 0x010101af,
  bottom: 0x010101b0,
  fromDegrees: 0x010101b3,
  pivotX: 0x010101b5,
  pivotY: 0x010101b6,
  insetLeft: 0x010101b7,
  insetRight: 0x010101b8,
  insetTop: 0x010101b9,
  insetBottom: 0x010101ba,
  tileMode: 0x01010201,
  centerColor: 0x0101020b,
  minSdkVersion: 0x0101020c,
  versionCode: 0x0101021b,
  versionName: 0x0101021c,
  targetSdkVersion: 0x01010270,
  required: 0x0101028e,
  logo: 0x010102be,
  alpha: 0x0101031f,
  scaleX: 0x01010324,
  scaleY: 0x01010325,
  rotation: 0x01010326,
  banner: 0x010103f2,
  tintMode: 0x010103fb,
  viewportWidth: 0x01010402,
  viewportHeight: 0x01010403,
  fillColor: 0x01010404,
  pathData: 0x01010405,
  strokeColor: 0x01010406,
  strokeWidth: 0x01010407,
  trimPathStart: 0x01010408,
  trimPathEnd: 0x01010409,
  trimPathOffset: 0x0101040a,
  strokeLineCap: 0x0101040b,
  strokeLineJoin: 0x0101040c,
  strokeMiterLimit: 0x0101040d,
  translateX: 0x0101045a,
  translateY: 0x0101045b,
  inset: 0x010104b5,
  extractNativeLibs: 0x010104ea,
  strokeAlpha: 0x010104cb,
  fillAlpha: 0x010104cc,
  startX: 0x01010510,
  startY: 0x01010511,
  endX: 0x01010512,
  endY: 0x01010513,
  offset: 0x01010514,
  fillType: 0x0101051e,
  roundIcon: 0x0101052c,
  targetSandboxVersion: 0x0101054c,
  isFeatureSplit: 0x0101055b,
  versionCodeMajor: 0x01010576,
  isSplitRequired: 0x01010591,
  testOnly: 0x01010272,
  requiredSplitTypes: 0x0101064e,
} as const;

export type AndroidAttribute = keyof typeof ANDROID_ATTRIBUTES;

/**
 * The value of an `android:` attribute; the first one of duplicates. As on the platform, it is looked up by its id,
 * because names can be obfuscated, and by name only if it has no id.
 */
export function androidAttribute(element: XmlElement, name: AndroidAttribute): ResourceValue | null {
  const id = ANDROID_ATTRIBUTES[name];
  const found =
    element.attributes.find((attribute) => attribute.resourceId === id) ??
    element.attributes.find(
      (attribute) => attribute.resourceId === 0 && attribute.namespace === ANDROID_NAMESPACE && attribute.name === name,
    );
  return found?.value ?? null;
}

/** The value of an attribute without a namespace, such as `package` or `split`. */
export function plainAttribute(element: XmlElement, name: string): ResourceValue | null {
  return element.attributes.find((attribute) => attribute.namespace === "" && attribute.name === name)?.value ?? null;
}

/** The child elements with the name `name`. */
export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
