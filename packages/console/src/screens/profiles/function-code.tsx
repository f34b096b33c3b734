import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ProfiledCode, type ProfiledFrame, profiledCodeQuery } from '../../api/profiles.ts'
import { useScope } from '../../shell/scope-context.ts'
import { CodeLines } from '../../ui/code-lines.tsx'
import { Async, Empty } from '../../ui/states.tsx'

type FunctionCodeProps = { frame: ProfiledFrame; where: string }

/** The original source, from the source map of the release that ran. */
export function FunctionCode({ frame, where }: FunctionCodeProps) {
  const { project, environment } = useScope()
  const found = useQuery({
    ...profiledCodeQuery({ project, env: environment.key }, frame),
    enabled: frame.file !== '',
  })
  if (frame.file === '') {
    return <Empty title="No code to show">This is code of the browser.</Empty>
  }
  return (
    <Async of={found}>
      {({ original, code, why }) =>
        original && code ? (
          <>
            <p className="truncate px-14 py-8 font-code text-12 text-text-2" title={where}>
              {where}
            </p>
            <CodeLines
              code={code}
              line={original.line}
              column={original.column}
              label={`Code of ${where}`}
              tone="plain"
            />
          </>
        ) : (
          <NoCode why={original ? 'no-code' : why} version={frame.version} />
        )
      }
    </Async>
  )
}

const sentences: Partial<Record<string, string>> = {
  'no-script': 'The browser reports no script for this frame.',
  'no-code': 'The source map has no source content.',
  inline: 'The script is inline in the page and has no map.',
  'third-party': 'The script is from another site or a browser extension.',
  'not-uploaded': 'No source map has been uploaded for this script.',
  'other-path': 'The uploaded map is for a different folder.',
  'other-build': 'The uploaded map is for a different build.',
  'other-version': 'The uploaded map is for a different version.',
  'no-line': 'The map ends before this line, so it is for a different build.',
  'no-position': 'The map has no entry for this position, so it is for a different build.',
}

function NoCode({ why, version }: { why: ProfiledCode['why'] | 'no-code'; version: string }) {
  const { project } = useScope()
  return (
    <Empty
      title="No code to show"
      action={
        <Link
          to="/p/$project/settings/source-maps"
          params={{ project }}
          search={{ upload: true }}
          className="text-accent underline underline-offset-2"
        >
          Upload source maps{version && ` of version ${version}`}
        </Link>
      }
    >
      {sentences[why ?? ''] ?? 'No source map covers this position.'}
    </Empty>
  )
}
