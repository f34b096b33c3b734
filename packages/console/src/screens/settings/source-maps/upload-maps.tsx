import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '@telltale/core/limits'
import { useState } from 'react'
import { toProblem } from '../../../api/problem.ts'
import { sourceMapsKey, uploadSourceMap } from '../../../api/source-maps.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { FileField } from '../../../ui/form/file-field.tsx'
import { ProblemNotice } from '../../../ui/notice.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { showToast } from '../../../ui/overlay/toast.tsx'
import { bytesText } from '../../../ui/text/measure-text.ts'
import { type ChosenMap, pathIn, readMapFile } from './read-map-file.ts'

const filesAtOnce = 200

/** Uploads one file or all of a build by hand: a map for the same script and release replaces the old one. */
export function UploadMaps({ project, onClose }: { project: string; onClose: () => void }) {
  const [version, setVersion] = useState('')
  const [folder, setFolder] = useState('/assets/')
  const [chosen, setChosen] = useState<readonly ChosenMap[]>([])
  const [done, setDone] = useState<ReadonlySet<ChosenMap>>(new Set())
  const queryClient = useQueryClient()
  const wanted = chosen.filter((one) => one.fault === undefined && !done.has(one))
  const upload = useMutation({
    mutationFn: async () => {
      const maps = wanted
      for (const map of maps) {
        const { file: content, name, debugId } = map
        const query = { file: pathIn(folder, name), version: version.trim() || undefined, debugId }
        await uploadSourceMap(project, { ...query, content })
        setDone((before) => new Set(before).add(map))
      }
      return maps.length
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: sourceMapsKey(project) }),
    onSuccess: (count) => {
      onClose()
      showToast({ text: count === 1 ? 'Source map uploaded.' : `${count} source maps uploaded.` })
    },
  })
  const problem = upload.error && toProblem(upload.error)

  async function choose(files: FileList) {
    const read = await Promise.all([...files].slice(0, filesAtOnce).map(readMapFile))
    const names = new Set(read.map(({ name }) => name))
    setChosen((before) => [...before.filter(({ name }) => !names.has(name)), ...read])
  }

  return (
    <Dialog
      title="Upload source maps"
      description="They also apply to earlier errors."
      onClose={onClose}
      onSubmit={() => wanted.length > 0 && !upload.isPending && upload.mutate()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={wanted.length === 0} busy={upload.isPending}>
            {wanted.length > 1 ? `Upload ${wanted.length} maps` : 'Upload map'}
          </Button>
        </>
      }
    >
      <ProblemNotice problem={problem} />
      <FileField
        label={chosen.length === 0 ? 'Choose files' : 'Choose more files'}
        hint="or drop the .map files of a build here"
        accept=".map,.json"
        isMultiple
        onFiles={(files) => void choose(files)}
      />
      {chosen.length > 0 && (
        <ul
          aria-label="Chosen files"
          className="grid divide-y divide-line rounded-control border border-line"
        >
          {chosen.map((map) => (
            <ChosenRow
              key={map.name}
              map={map}
              path={pathIn(folder, map.name)}
              isDone={done.has(map)}
              onRemove={() => setChosen(chosen.filter((one) => one !== map))}
            />
          ))}
        </ul>
      )}
      <Field
        label="Version of the application"
        hint="The version your application passes to init. If empty, the map applies to any version."
        code
        value={version}
        maxLength={limits.sourceMapVersionLength}
        onChange={(event) => setVersion(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Field
        label="URL path of the scripts"
        hint="The URL path of the scripts. Leading folders added by a CDN do not matter."
        code
        value={folder}
        maxLength={limits.sourceMapFileLength - limits.nameLength}
        onChange={(event) => setFolder(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
    </Dialog>
  )
}

type ChosenRowProps = { map: ChosenMap; path: string; isDone: boolean; onRemove: () => void }

function ChosenRow({ map, path, isDone, onRemove }: ChosenRowProps) {
  return (
    <li className="flex min-w-0 items-center gap-8 py-4 pr-4 pl-10">
      <span className="grid min-w-0 flex-1">
        <code className="truncate" title={path}>
          {map.fault === undefined ? path : map.file.name}
        </code>
        <span className={`text-12 ${map.fault ? 'text-bad' : 'text-text-3'}`}>
          {map.fault ??
            [bytesText(map.file.size), map.debugId && 'has a debug id', isDone && 'uploaded']
              .filter(Boolean)
              .join(', ')}
        </span>
      </span>
      <IconButton icon="close" label={`Exclude ${map.file.name}`} small onClick={onRemove} />
    </li>
  )
}
