// Modules that the build makes (tools/console-config.ts).

declare module 'virtual:icons' {
  export const icons: Readonly<
    Record<string, readonly (readonly [tag: string, attributes: Record<string, string>])[]>
  > &
    Record<
      import('../parts/icon-names.js').IconName,
      readonly (readonly [tag: string, attributes: Record<string, string>])[]
    >
}

declare module 'virtual:request-schemas' {
  type Described = import('../client/explained.js').Described
  export const settings: Described
  export const organization: Described
}

declare module 'virtual:ocpp-messages' {
  /** The payloads of what can be sent to a charge point, by action. */
  export const messages: Readonly<Record<string, import('../client/command-texts.js').FormSchema>>
}

declare module 'virtual:map-data' {
  /** What the address of each piece of the map begins with; its place and `.json` follow. */
  export const prefix: string
  /** With blanks between them. */
  export const places: string
}
