// What all streams of server-sent events have in common (HTML, 9.2).

/** A comment: readers pass over it. */
export const filler = ':\n\n'

/** A stream says something so often, if only a comment: whoever hears nothing for several times as long knows that it is cut. */
export const heartbeatMs = 5_000

/** How long a reader waits before it asks for a stream that has ended again. */
export const retryMs = 2_000
