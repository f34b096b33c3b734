import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { createShareLink, type ShareLink, shareLinksKey, shareLinksQuery } from '../../api/share-links.ts'
import { useMay, useMayHere } from '../../shell/account.ts'
import { MayNoticeHere } from '../../shell/may-notice.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/form/select.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { NewSecret } from '../../ui/secret.tsx'
import { Async } from '../../ui/states.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { countOf } from '../../ui/text/measure-text.ts'
import { LinkState } from './link-state.tsx'
import { RevokeLink } from './revoke-link.tsx'
import type { ShareTarget } from './share-button.tsx'

const lifetimes = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '2160', label: '90 days' },
]

const shown = {
  session: {
    title: 'Share this replay',
    what: 'Anyone with the link sees the replay and its events as they were recorded, without the identity of the user. They cannot change anything.',
  },
  dashboard: {
    title: 'Share this dashboard',
    what: 'Anyone with the link sees its tiles, measured in this environment, and can choose the period. They cannot change anything. Tiles that list users are left out.',
  },
}

type ShareDialogProps = { on: ShareTarget; onClose: () => void }

/** Creates share links, and lists those there are. */
export function ShareDialog({ on, onClose }: ShareDialogProps) {
  const mayShare = useMayHere('links.share')
  const mayList = useMay('links.share')
  const { title, what } = shown[on.kind]
  return (
    <Dialog
      title={title}
      description={what}
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <MayNoticeHere permission="links.share" />
      {mayShare && <NewLink on={on} />}
      {mayList && <Links on={on} />}
    </Dialog>
  )
}

function NewLink({ on }: { on: ShareTarget }) {
  const { project } = useScope()
  const [hours, setHours] = useState('168')
  const queryClient = useQueryClient()
  const creation = useMutation({
    mutationFn: createShareLink,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: shareLinksKey(project) }),
  })
  return (
    <div className="grid gap-12">
      <ProblemNotice problem={creation.error && toProblem(creation.error)} />
      <div className="flex flex-wrap items-end gap-8">
        <div className="min-w-[160px] flex-1">
          <Select label="The link works for" options={lifetimes} value={hours} onValue={setHours} />
        </div>
        <Button
          look={creation.data ? 'normal' : 'primary'}
          busy={creation.isPending}
          onClick={() => creation.mutate({ project, draft: { ...on, hours: Number(hours) } })}
        >
          {creation.data ? 'Create another link' : 'Create link'}
        </Button>
      </div>
      {creation.data && (
        <div aria-live="polite">
          <NewSecret key={creation.data.link.id} name="link" value={creation.data.url} />
        </div>
      )}
    </div>
  )
}

function Links({ on }: { on: ShareTarget }) {
  const { project } = useScope()
  const links = useInfiniteQuery(shareLinksQuery(project, on.target))
  const [revoking, setRevoking] = useState<ShareLink>()
  return (
    <section aria-label="Existing links" className="grid gap-6">
      <h3 className="font-medium">Existing links</h3>
      <Async
        of={links}
        isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
        empty={<p className="text-text-2">No links yet.</p>}
      >
        {({ pages }) => (
          <>
            <ul className="grid rounded-control border border-line">
              {pages
                .flatMap(({ items }) => items)
                .map((link) => (
                  <LinkRow key={link.id} link={link} onRevoke={() => setRevoking(link)} />
                ))}
            </ul>
            <LoadMore of={links} />
          </>
        )}
      </Async>
      {revoking && <RevokeLink link={revoking} onClose={() => setRevoking(undefined)} />}
    </section>
  )
}

function LinkRow({ link, onRevoke }: { link: ShareLink; onRevoke: () => void }) {
  return (
    <li className="flex min-h-44 items-center gap-8 border-line border-b px-12 py-6 last:border-b-0">
      <span className="grid min-w-0 flex-1">
        <LinkState link={link} />
        <span className="text-12 text-text-2 [overflow-wrap:anywhere]">
          {link.createdBy}, {link.opened === 0 ? 'never opened' : `opened ${countOf(link.opened, 'time')}`}
        </span>
      </span>
      {link.state === 'active' && <IconButton icon="trash" label="Revoke link…" onClick={onRevoke} />}
    </li>
  )
}
