import { FileField } from '../../ui/form/file-field.tsx'
import { bytesText } from '../../ui/text/measure-text.ts'
import { type ChosenDocument, readDocument } from './read-document.ts'

interface DocumentFieldProps<Document> {
  chosen: ChosenDocument<Document> | undefined
  onChosen: (chosen: ChosenDocument<Document>) => void
}

/** The JSON file of an import, with its name and size once it is chosen. */
export function DocumentField<Document>({ chosen, onChosen }: DocumentFieldProps<Document>) {
  return (
    <>
      <FileField
        label={chosen === undefined ? 'Choose file' : 'Choose another file'}
        hint="or drop the .json file here"
        accept=".json"
        onFiles={([file]) => {
          if (file) void readDocument<Document>(file).then(onChosen)
        }}
      />
      {chosen && (
        <p className="wrap-anywhere">
          {chosen.name}, {bytesText(chosen.size)}
          {chosen.content === undefined && <span className="text-bad">: not valid JSON.</span>}
        </p>
      )}
    </>
  )
}
