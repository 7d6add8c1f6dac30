/** The bounds on hostile input that the package publishes. Sizes are in bytes after decompression, sides in pixels. */

const KIB = 1024;
const MIB = 1024 * KIB;

/** The time that `inspectInstaller` takes at most unless the caller gives another, in milliseconds. */
export const INSPECTION_TIMEOUT_MS = 20_000;

/** Entries of an archive. */
export const MAX_ENTRIES = 100_000;
/** The central directory of an archive. */
export const MAX_DIRECTORY_BYTES = 32 * MIB;
/** One decompressed entry. */
export const MAX_ENTRY_BYTES = 10 * MIB;
/** Decompressed size of an entry, as a multiple of its compressed size. */
export const MAX_COMPRESSION_RATIO = 100;

/** A text of an installer, in UTF-16 code units; a longer one is cut off. */
export const MAX_TEXT_LENGTH = 255;

/** A version or a build number; a longer one is refused. */
export const MAX_VERSION_LENGTH = 100;
/** The lowest system of an app; a longer one is refused. */
export const MAX_SYSTEM_LENGTH = 30;

export const MAX_PLIST_BYTES = MIB;
/** Values in a property list, where a value that is referenced twice counts twice. */
export const MAX_PLIST_OBJECTS = 100_000;
export const MAX_PLIST_DEPTH = 64;
export const MAX_PROFILE_BYTES = MIB;
/** A compiled asset catalog that is searched for the icon. */
export const MAX_CATALOG_BYTES = 4 * MIB;
/** Keys and nodes that are read from the trees of an asset catalog. */
export const MAX_CATALOG_KEYS = 100_000;

/** An executable that is decompressed up to its signature, and its compressed form. */
export const MAX_EXECUTABLE_BYTES = 1024 * MIB;
/** The code signature of an executable, which grows with the executable. */
export const MAX_CODE_SIGNATURE_BYTES = 16 * MIB;
/** Certificates that lead from the signer of an app to a root authority. */
export const MAX_CHAIN_CERTIFICATES = 5;
/** A certificate of that chain. */
export const MAX_CERTIFICATE_BYTES = 16 * 1024;

export const MAX_MANIFEST_BYTES = MIB;
/** Elements and attributes of a compiled XML file. */
export const MAX_XML_NODES = 100_000;
export const MAX_XML_DEPTH = 100;
/** A resource table that is stored without compression. */
export const MAX_STORED_RESOURCES_BYTES = 64 * MIB;
/** A resource table that is compressed, as that of every bundle. */
export const MAX_COMPRESSED_RESOURCES_BYTES = 48 * MIB;
/** Entries of a protobuf resource table, of the types that an app references. */
export const MAX_RESOURCE_ENTRIES = 500_000;
/** Bytes of a resource table that are searched for the values of all references. */
export const MAX_RESOURCE_SEARCH_BYTES = 16 * MIB;

export const MAX_SIGNERS = 10;
/** Signatures of one file that are verified, those of key rotations included. */
export const MAX_SIGNATURE_VERIFICATIONS = 30;
export const MAX_SIGNING_BLOCK_BYTES = 16 * MIB;

export const MAX_ICON_BYTES = 5 * MIB;
/** Width and height of an icon. */
export const MAX_ICON_PIXELS = 4096;

/** Values of a manifest or Info.plist that two builds are compared by. */
export const MAX_MANIFEST_VALUES = 20_000;
/** Items of each list of a difference. */
export const MAX_DIFF_ITEMS = 500;

/** The load commands of a slice of a Mach-O file. */
export const MAX_LOAD_COMMAND_BYTES = MIB;
/** Programs of an app whose UUIDs are read. */
export const MAX_BINARIES = 1_000;
/** Files with symbols in an archive of dSYM bundles. */
export const MAX_SYMBOL_FILES = 2_000;
/** Slices of programs or symbols, each with a UUID. */
export const MAX_SYMBOL_IMAGES = 4_000;
/** What an archive is decompressed to in all while UUIDs are read. */
export const MAX_SYMBOLS_INFLATED_BYTES = 4_096 * MIB;
/** A mapping file of R8 or ProGuard. */
export const MAX_MAPPING_BYTES = 1_024 * MIB;
