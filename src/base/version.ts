/** Versions that are shown and sent. A test holds this one and package.json together. */

export const ONAGER_VERSION = '0.1.0'
