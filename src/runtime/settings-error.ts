// What is wrong with the settings, apart from config.ts, which would bring the reader of command lines into every thread that says so.

/** Settings that cannot be used; its message is one line for the operator. */
export class SettingsError extends Error {}
