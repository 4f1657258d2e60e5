import { type Call, converted } from '../http/call.ts'
import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'
import type { FileHappened, FileReset } from '../types.ts'
import type { FollowOptions } from './follow-folder.ts'
import { type IndexingProgress, type WaitOptions, waitUntilIndexed } from './wait-until-indexed.ts'

/** Folders, also called knowledge bases. */
export const knowledgeBases = (transport: Transport) => ({
  /**
   * @throws DocentError `KNOWLEDGE_BASE_NAME_CONFLICT` if its location has a folder of that name, `FORBIDDEN` without
   * the permission `create_knowledgebase`
   */
  create: (folder: Body<'knowledgeBases.create'>, options?: CallOptions) =>
    transport.data('POST /knowledge-bases', [], { ...options, body: folder }),

  /**
   * The folders of one location, the root if no parent is given, by name. `scope` is `org` by default. With
   * `include_counts`: how many folders are directly inside each.
   */
  list: (query?: Query<'knowledgeBases.list'>, options?: CallOptions) =>
    transport.list('GET /knowledge-bases', [], { ...options, query }),

  /**
   * Returns a folder. `include_counts` adds the number of folders and files directly inside.
   * @throws DocentError `KNOWLEDGE_BASE_NOT_FOUND`
   */
  get: (id: string, query?: Query<'knowledgeBases.get'>, options?: CallOptions) =>
    transport.data('GET /knowledge-bases/{knowledge_base_id}', [id], { ...options, query }),

  /** Renames, tags or moves. @throws DocentError `KNOWLEDGE_BASE_NAME_CONFLICT`, `KNOWLEDGE_BASE_LINKED` */
  update: (id: string, changes: Body<'knowledgeBases.update'>, options?: CallOptions) =>
    transport.data('PATCH /knowledge-bases/{knowledge_base_id}', [id], { ...options, body: changes }),

  /**
   * The folder with all below it as a ZIP archive, as it comes: read `body` or `blob()`. If it breaks off, `after` with
   * the path of the last whole entry gives an archive of the entries that follow.
   * @throws DocentError `NO_DOWNLOADABLE_DATA_SOURCES` if there are none, `VALIDATION_ERROR` if `after` is no entry
   */
  download: (id: string, query: Query<'knowledgeBases.download'> = {}, options?: CallOptions): Call<Response> =>
    transport.open('GET /knowledge-bases/{knowledge_base_id}/actions/download', [id], { ...options, query }),

  /** Deletes it with everything below; that cannot be undone. */
  delete: (id: string, options?: CallOptions) =>
    transport.json('DELETE /knowledge-bases/{knowledge_base_id}', [id], options),

  /** Rights of your workspace to a folder: who may do what, and why. */
  grants: {
    get: (id: string, options?: CallOptions) =>
      transport.data('GET /knowledge-bases/{knowledge_base_id}/grants', [id], options),

    /** Replaces all grants of the folder; counts from the moment that it resolves. @throws DocentError `FORBIDDEN` */
    set: (id: string, grants: Body<'knowledgeBases.grants.set'>['grants'], options?: CallOptions) =>
      transport.data('PUT /knowledge-bases/{knowledge_base_id}/grants', [id], { ...options, body: { grants } }),
  },

  /** The passages that fit a question best, best first; with `explain` each with why it was found. */
  search: (id: string, query: Query<'knowledgeBases.search'>, options?: CallOptions) => {
    const route = 'GET /knowledge-bases/{knowledge_base_id}/search'
    return converted(transport.data(route, [id], { ...options, query }), ({ results }) => results)
  },

  /**
   * Waits until every file of the folder (or those with the ids given) is indexed or has failed, and tells which did.
   * A file that was added with `trigger_indexing: false` is waited for only by its id.
   * @throws DocentError `TIMEOUT` when it takes longer than `withinMs`, 30 minutes by default
   */
  waitUntilIndexed: (id: string, options?: WaitOptions): Promise<IndexingProgress> =>
    waitUntilIndexed(dataSources(transport), id, options),

  /**
   * Tells what happens to the files of a folder, without those in its sub-folders; continues after the last event when
   * the connection breaks. `reset` says that some of what happened is not known any more: list the folder again.
   * @throws DocentError once the server stays away, or the caller may not read the folder any more
   */
  follow: async function* (id: string, options: FollowOptions = {}): AsyncGenerator<FileHappened | FileReset> {
    // Loaded by those who follow one.
    const { followFolder } = await import('./follow-folder.ts')
    yield* followFolder(transport, id, options)
  },
})

/** The files in a folder. */
export const dataSources = (transport: Transport) => {
  const chosen = (ids: string[]) => ({ data_source_id: ids.join(',') })
  const byExternalId = <Method extends string>(method: Method) =>
    `${method} /knowledge-bases/{knowledge_base_id}/data-sources/by-external-id/{external_id}` as const
  return {
    /** Newest first and 20 a page by default, at most 500; pages count from 0. */
    list: (folderId: string, query?: Query<'dataSources.list'>, options?: CallOptions) =>
      transport.list('GET /knowledge-bases/{knowledge_base_id}/data-sources', [folderId], { ...options, query }),

    /**
     * Adds an uploaded file, and by default begins to index it; see `knowledgeBases.waitUntilIndexed`.
     * @throws DocentError `FILE_NOT_FOUND` if the upload is unknown or has expired
     */
    add: (folderId: string, document: Body<'dataSources.addDocument'>, options?: CallOptions) =>
      transport.data('POST /knowledge-bases/{knowledge_base_id}/data-sources/documents', [folderId], {
        ...options,
        body: document,
      }),

    /** @throws DocentError `DATA_SOURCE_NOT_FOUND` */
    get: (folderId: string, id: string, options?: CallOptions) =>
      transport.data('GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}', [folderId, id], options),

    /** The file with the folder that it is in now, by its id alone. @throws DocentError `DATA_SOURCE_NOT_FOUND` */
    locate: (id: string, options?: CallOptions) => transport.data('GET /data-sources/{data_source_id}', [id], options),

    /**
     * The file as it was uploaded, as it comes: read `body` or `blob()`. `headers` may ask for a part of it, with
     * `range`. @throws DocentError `DATA_SOURCE_NOT_FOUND`, `RANGE_NOT_SATISFIABLE`
     */
    content: (folderId: string, id: string, options?: CallOptions) =>
      transport.open(
        'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/content',
        [folderId, id],
        options,
      ),

    /**
     * The file as it is searched: its passages in order, with their places, 50 a page by default; the next
     * page begins at `next`. @throws DocentError `DATA_SOURCE_NOT_INDEXED`
     */
    text: (folderId: string, id: string, query?: Query<'dataSources.readText'>, options?: CallOptions) =>
      transport.data('GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/text', [folderId, id], {
        ...options,
        query,
      }),

    /** Renames, moves, or sets metadata in place of what was. @throws DocentError `DATA_SOURCE_NOT_FOUND` */
    update: (folderId: string, id: string, changes: Body<'dataSources.update'>, options?: CallOptions) =>
      transport.data('PATCH /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}', [folderId, id], {
        ...options,
        body: changes,
      }),

    /**
     * Sets and removes keys of the metadata of up to 500 files; unknown ids are skipped. The message tells how many
     * there were.
     */
    changeMetadata: (folderId: string, change: Body<'dataSources.changeMetadata'>, options?: CallOptions) =>
      transport.json('POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/metadata', [folderId], {
        ...options,
        body: change,
      }),

    /** Files that another system keeps up to date, under ids of its own. */
    pushed: {
      /**
       * Makes or replaces; the same again changes nothing.
       * @throws DocentError `DATA_SOURCE_OUTDATED`, `KNOWLEDGE_BASE_LINKED`
       */
      put: (folderId: string, externalId: string, file: Body<'dataSources.pushed.put'>, options?: CallOptions) =>
        transport.json(byExternalId('PUT'), [folderId, externalId], { ...options, body: file }),

      /** @throws DocentError `DATA_SOURCE_NOT_FOUND` */
      get: (folderId: string, externalId: string, options?: CallOptions) =>
        transport.data(byExternalId('GET'), [folderId, externalId], options),

      /** Deletes it, if it is there. @throws DocentError `DATA_SOURCE_OUTDATED` */
      delete: (
        folderId: string,
        externalId: string,
        query?: Query<'dataSources.pushed.delete'>,
        options?: CallOptions,
      ) => transport.json(byExternalId('DELETE'), [folderId, externalId], { ...options, query }),

      /** Pushes up to 1,000 files at once. @returns the outcome of each, in their order */
      batch: (folderId: string, items: Body<'dataSources.pushed.batch'>['items'], options?: CallOptions) =>
        transport.data('POST /knowledge-bases/{knowledge_base_id}/data-sources/batch', [folderId], {
          ...options,
          body: { items },
        }),
    },

    /**
     * Gives a file the content of an upload; what it had becomes an earlier version, which searches find until the new
     * one is indexed. @throws DocentError `DATA_SOURCE_NOT_FOUND`, `FILE_NOT_FOUND`, `KNOWLEDGE_BASE_LINKED`
     */
    replaceContent: (folderId: string, id: string, fileId: string, options?: CallOptions) =>
      transport.data('PUT /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/content', [folderId, id], {
        ...options,
        body: { file_id: fileId },
      }),

    /** Changes of a file's passages by hand; they stay when it is indexed again, or gets other content. */
    passageEdits: {
      /** The oldest first. @throws DocentError `DATA_SOURCE_NOT_FOUND` */
      list: async (folderId: string, id: string, options?: CallOptions) =>
        (
          await transport.data(
            'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits',
            [folderId, id],
            options,
          )
        ).passage_edits,

      /**
       * Edits the passage at a place (as `text` gives it), switches it off, or adds one after it. Null: an added
       * passage is gone. @throws DocentError `PASSAGE_NOT_FOUND`, `PASSAGE_CHANGED`, `DATA_SOURCE_NOT_INDEXED`
       */
      create: (folderId: string, id: string, change: Body<'dataSources.passageEdits.create'>, options?: CallOptions) =>
        transport.data(
          'POST /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits',
          [folderId, id],
          { ...options, body: change },
        ),

      /** The passage is again as it was read. @throws DocentError `PASSAGE_EDIT_NOT_FOUND` */
      undo: (folderId: string, id: string, editId: string, options?: CallOptions) =>
        transport.json(
          'DELETE /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/passage-edits/{passage_edit_id}',
          [folderId, id, editId],
          options,
        ),
    },

    /** Readers of a file, of those who may read its folder; owners and admins always may. */
    readers: {
      /**
       * All of it for those who manage the folder; others learn whether there is a list.
       * @throws DocentError `DATA_SOURCE_NOT_FOUND`
       */
      get: (folderId: string, id: string, options?: CallOptions) =>
        transport.data(
          'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/readers',
          [folderId, id],
          options,
        ),

      /**
       * Counts at once.
       * @param readers null: anyone who may read the folder @throws DocentError `FORBIDDEN`, `KNOWLEDGE_BASE_LINKED`
       */
      set: (folderId: string, id: string, readers: Body<'dataSources.readers.set'>['readers'], options?: CallOptions) =>
        transport.data(
          'PUT /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/readers',
          [folderId, id],
          { ...options, body: { readers } },
        ),
    },

    /** Contents that a file has and had, by their numbers. */
    versions: {
      /** Lists the versions that are kept, the current one first. @throws DocentError `DATA_SOURCE_NOT_FOUND` */
      list: async (folderId: string, id: string, options?: CallOptions) =>
        (
          await transport.data(
            'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions',
            [folderId, id],
            options,
          )
        ).versions,

      /** Content of a version, as it comes: read `body` or `blob()`. @throws DocentError `VERSION_NOT_FOUND` */
      content: (folderId: string, id: string, version: number | string, options?: CallOptions): Call<Response> =>
        transport.open(
          'GET /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions/{version}/content',
          [folderId, id, String(version)],
          options,
        ),

      /**
       * Gives the file this content again, as a new version.
       * @throws DocentError `VERSION_NOT_FOUND`, `KNOWLEDGE_BASE_LINKED`
       */
      restore: (folderId: string, id: string, version: number | string, options?: CallOptions) =>
        transport.data(
          'POST /knowledge-bases/{knowledge_base_id}/data-sources/{data_source_id}/versions/{version}/restore',
          [folderId, id, String(version)],
          options,
        ),
    },

    /** Deletes up to 100 files by id; unknown ids are skipped. The message gives the number deleted. */
    delete: (folderId: string, ids: string[], options?: CallOptions) =>
      transport.json('DELETE /knowledge-bases/{knowledge_base_id}/data-sources', [folderId], {
        ...options,
        query: chosen(ids),
      }),

    /** Indexes them, again if they are indexed. At most 100 ids; unknown ones are skipped. */
    index: (folderId: string, ids: string[], options?: CallOptions) =>
      transport.json('POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/index', [folderId], {
        ...options,
        query: chosen(ids),
      }),

    /** Ends the indexing of those that wait for it or are being read; they have failed then. At most 100 ids. */
    cancelIndexing: (folderId: string, ids: string[], options?: CallOptions) =>
      transport.json('POST /knowledge-bases/{knowledge_base_id}/data-sources/actions/cancel-indexing', [folderId], {
        ...options,
        query: chosen(ids),
      }),

    /**
     * A ZIP archive, as it comes: read `body` or `blob()`. At most 100 ids.
     * @throws DocentError `NO_DOWNLOADABLE_DATA_SOURCES`
     */
    download: (folderId: string, ids: string[], options?: CallOptions): Call<Response> =>
      transport.open('GET /knowledge-bases/{knowledge_base_id}/data-sources/actions/download', [folderId], {
        ...options,
        query: chosen(ids),
      }),
  }
}

export type DataSources = ReturnType<typeof dataSources>
