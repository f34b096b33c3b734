import { Button } from '../button.tsx'
import { Notice } from '../notice.tsx'
import { refusalOf } from '../refusal.ts'

/** Loads the next page of a list by cursor. Has the shape of an infinite query. */
export interface MorePages {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  readonly error: unknown
  fetchNextPage(): Promise<unknown>
}

export function LoadMore({ of, label = 'Show more' }: { of: MorePages; label?: string }) {
  if (!of.hasNextPage) return null
  const refusal = of.isFetchNextPageError ? refusalOf(of.error) : undefined
  return (
    <div className="grid justify-items-center gap-8 border-line border-t p-12">
      {refusal && <Notice title={refusal.title} detail={refusal.detail} requestId={refusal.requestId} />}
      <Button busy={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {of.isFetchingNextPage ? 'Loading…' : label}
      </Button>
    </div>
  )
}
