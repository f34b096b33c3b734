/** What a message about trouble needs to know. The problems of the API have this shape. */
export interface Refusal {
  readonly title: string
  readonly detail?: string | undefined
  readonly requestId?: string | undefined
  readonly status?: number | undefined
  readonly permission?: string | undefined
  /** A part of the time that was asked about, of which there would be an answer. */
  readonly shorter?: { readonly from: string; readonly to: string } | undefined
}

export function refusalOf(error: unknown): Refusal {
  if (isRefusal(error)) return error
  return {
    title: 'Something went wrong in the console',
    detail: error instanceof Error ? error.message : String(error),
  }
}

function isRefusal(error: unknown): error is Refusal {
  return typeof error === 'object' && error !== null && 'title' in error && typeof error.title === 'string'
}
