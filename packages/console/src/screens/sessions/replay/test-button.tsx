import { useMutation } from '@tanstack/react-query'
import { toProblem } from '../../../api/problem.ts'
import { type ReplayRef, writeReplayTest } from '../../../api/replays.ts'
import { Button } from '../../../ui/button.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { saveFile } from '../../../ui/save-file.ts'

/** Downloads the session as a Playwright test. */
export function TestButton({ place }: { place: ReplayRef }) {
  const writing = useMutation({
    mutationFn: () => writeReplayTest(place),
    onSuccess: (text) => saveFile(`session-${place.session.slice(0, 8)}.spec.ts`, text, 'text/plain'),
    onError: (error) => showToast({ text: `The test could not be written: ${toProblem(error).detail}` }),
  })
  return (
    <Button
      size="small"
      busy={writing.isPending}
      onClick={() => writing.mutate()}
      title="Download this session as a Playwright test"
    >
      Download test
    </Button>
  )
}
