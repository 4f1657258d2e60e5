import { expect, test } from 'vitest'
import { groupIntoFolders } from './dropped-files.ts'

const file = (webkitRelativePath: string) => ({ webkitRelativePath, name: webkitRelativePath.split('/').at(-1)! })

test('picked files come back in the folders they lie in, hidden ones left out', () => {
  const files = ['H/tides.txt', 'H/Boats/a.txt', 'H/Boats/b.txt', 'H/.git/config', 'H/.DS_Store'].map(file)
  expect(groupIntoFolders(files)).toEqual([
    {
      name: 'H',
      files: [files[0]],
      folders: [{ name: 'Boats', files: [files[1], files[2]], folders: [] }],
    },
  ])
})
