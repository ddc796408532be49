/** Settings that cannot be used. Apart from config.ts, which brings the reader of command lines into every thread that throws one. */
export class SettingsError extends Error {}
