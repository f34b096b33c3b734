/** The data of an error message. Problems of the API have this shape. */
export interface Refusal {
  readonly title: string
  readonly detail?: string | undefined
  readonly requestId?: string | undefined
  readonly status?: number | undefined
  readonly permission?: string | undefined
  /** A shorter part of the period that the server can answer. */
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
