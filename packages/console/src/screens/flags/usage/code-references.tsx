import { useInfiniteQuery } from '@tanstack/react-query'
import { type CodeReference, type CodeUpload, codeReferencesQuery } from '../../../api/code-references.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { useFlag } from '../flag-context.ts'

/** Where the code names the flag, by the last search of each branch. */
export function CodeReferences() {
  const { project } = useScope()
  const { key } = useFlag()
  const references = useInfiniteQuery(codeReferencesQuery(project, key))

  return (
    <Panel title="Code references">
      <Async
        of={references}
        isEmpty={({ pages }) => (pages[0]?.uploads ?? []).length === 0}
        empty={
          <Empty title="No code was searched">
            Run <code>telltale code-refs</code> in your pipeline to see here where your code uses this flag.
          </Empty>
        }
      >
        {({ pages }) => (
          <div className="grid min-w-0 gap-16">
            <ul className="grid gap-4 text-text-2">
              {(pages[0]?.uploads ?? []).map((upload) => (
                <li key={`${upload.repository} ${upload.branch}`} className="min-w-0 break-words">
                  <Searched upload={upload} />
                </li>
              ))}
            </ul>
            <Proof uploads={pages[0]?.uploads ?? []} />
            <References references={pages.flatMap(({ items }) => items)} />
            {references.hasNextPage && (
              <Button onClick={() => references.fetchNextPage()} disabled={references.isFetchingNextPage}>
                Show more
              </Button>
            )}
          </div>
        )}
      </Async>
    </Panel>
  )
}

/** Of a flag that could be removed: whether the code still uses it. */
function Proof({ uploads }: { uploads: readonly CodeUpload[] }) {
  const { key, lifecycle } = useFlag()
  const searched = uploads.filter(({ isDefault }) => isDefault)
  if (!['stale', 'rolled-out', 'archived'].includes(lifecycle.state) || searched.length === 0) return null
  const left = searched.reduce((sum, { references }) => sum + references, 0)
  return (
    <p>
      {left === 0 ? (
        'No reference is left in the default branch. You can delete the flag.'
      ) : (
        <>
          Remove the references first: <code className="text-12">telltale remove-flag {key}</code>
        </>
      )}
    </p>
  )
}

function Searched({ upload }: { upload: CodeUpload }) {
  const { repository, branch, references, cleanSince, uploadedAt } = upload
  const count = references === 1 ? '1 reference' : `${references} references`
  return (
    <>
      <code className="text-12">{repository}</code>, branch <code className="text-12">{branch}</code>:{' '}
      {references > 0 ? count : 'no reference'}
      {cleanSince !== null && (
        <>
          {' '}
          since <TimeAgo at={cleanSince} />
        </>
      )}
      , searched <TimeAgo at={uploadedAt} />
    </>
  )
}

function References({ references }: { references: readonly CodeReference[] }) {
  return (
    <ul className="grid min-w-0 gap-12">
      {references.map(({ repository, branch, file, line, context, url }) => (
        <li key={`${repository} ${branch} ${file} ${line}`} className="grid min-w-0 gap-4">
          <span className="min-w-0 break-words font-code text-12">
            {url === null ? (
              `${file}:${line}`
            ) : (
              <a href={url} target="_blank" rel="noreferrer">{`${file}:${line}`}</a>
            )}
          </span>
          {context !== '' && (
            <pre className="whitespace-pre-wrap break-all rounded-card border border-line bg-sunken p-8 font-code text-12">
              {context}
            </pre>
          )}
        </li>
      ))}
    </ul>
  )
}
