import { expect, test } from 'vitest'
import { uploadMapRequest, uploadMapsLine } from './upload-maps-text.ts'

const place = { url: 'https://telltale.example', project: 'shop', version: '1.4.0' }

test('the command has the server, project and version, each shell-quoted', () => {
  expect(uploadMapsLine(place)).toBe(
    'telltale upload-maps ./dist \\\n  --url https://telltale.example \\\n  --project shop \\\n  --version 1.4.0',
  )
  expect(uploadMapsLine({ ...place, version: "it's 2; rm -rf ~" })).toContain(
    `--version 'it'\\''s 2; rm -rf ~'`,
  )
})

test('without a version the map matches any', () => {
  expect(uploadMapsLine({ ...place, version: '' })).not.toContain('--version')
  expect(uploadMapRequest({ ...place, version: '' }, '/assets/app.js')).toContain(
    `'https://telltale.example/api/v1/projects/shop/source-maps?file=%2Fassets%2Fapp.js'`,
  )
})
