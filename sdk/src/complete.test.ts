import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { recordingClient } from './http/recording-client.ts'
import type { Docent } from './index.ts'
import type { OperationId } from './operations.ts'

/**
 * How each operation is called; the ids are, in order, those of its path, or the first value where it has few. An
 * operation without a line fails below.
 */
const CALLS: Record<OperationId, (docent: Docent) => unknown> = {
  'account.apiKeys.create': ({ account }) => account.apiKeys.create({ name: 'Key' }),
  'account.apiKeys.list': ({ account }) => account.apiKeys.list(),
  'account.apiKeys.rotate': ({ account }) => account.apiKeys.rotate('id1'),
  'account.apiKeys.revoke': ({ account }) => account.apiKeys.revoke('id1'),
  'account.apps.check': ({ account }) => account.apps.check('client_id=x'),
  'account.apps.decide': ({ account }) => account.apps.decide({ query: 'client_id=x', decision: 'allow' }),
  'account.apps.checkDevice': ({ account }) => account.apps.checkDevice('BCDF-GHJK'),
  'account.apps.decideDevice': ({ account }) =>
    account.apps.decideDevice({ user_code: 'BCDF-GHJK', decision: 'allow' }),
  'account.apps.list': ({ account }) => account.apps.list(),
  'account.apps.revoke': ({ account }) => account.apps.revoke('id1'),
  'account.changePassword': ({ account }) => account.changePassword('old', 'new'),
  'account.chooseWorkspace': ({ account }) => account.chooseWorkspace('id'),
  'account.delete': ({ account }) => account.delete('password'),
  'account.get': ({ account }) => account.get(),
  'account.join': ({ account }) => account.join('token'),
  'account.identities.unlink': ({ account }) => account.identities.unlink('id1'),
  'account.sessions.end': ({ account }) => account.sessions.end('id1'),
  'account.sessions.endOthers': ({ account }) => account.sessions.endOthers(),
  'account.sessions.list': ({ account }) => account.sessions.list(),
  'account.twoFactor.begin': ({ account }) => account.twoFactor.begin('password'),
  'account.twoFactor.confirm': ({ account }) => account.twoFactor.confirm('123456'),
  'account.twoFactor.renewRecoveryCodes': ({ account }) =>
    account.twoFactor.renewRecoveryCodes({ password: 'password', code: '123456' }),
  'account.twoFactor.remove': ({ account }) => account.twoFactor.remove({ password: 'password', code: '123456' }),
  'account.passkeys.challenge': ({ account }) => account.passkeys.challenge(),
  'account.passkeys.begin': ({ account }) => account.passkeys.begin({ password: 'password' }),
  'account.passkeys.add': ({ account }) =>
    account.passkeys.add({ name: 'Key', passkey: { id: 'id', client_data: 'e30', attestation_object: 'AA' } }),
  'account.passkeys.update': ({ account }) => account.passkeys.update('id1', { name: 'Key' }),
  'account.passkeys.remove': ({ account }) => account.passkeys.remove('id1', { password: 'password' }),
  'account.picture.set': ({ account }) => account.picture.set('AAAA'),
  'account.picture.remove': ({ account }) => account.picture.remove(),
  'account.update': ({ account }) => account.update({ name: 'Ada' }),
  'agents.create': ({ agents }) => agents.create({ name: 'Agent' }),
  'agents.delete': ({ agents }) => agents.delete('id1'),
  'agents.export': ({ agents }) => agents.export('id1'),
  'agents.import': ({ agents }) => agents.import({ agent: { name: 'Agent' } }),
  'agents.grants.get': ({ agents }) => agents.grants.get('id1'),
  'agents.grants.set': ({ agents }) => agents.grants.set('id1', [{ kind: 'member', id: 'id2', level: 'use' }]),
  'agents.get': ({ agents }) => agents.get('id1'),
  'agents.model.get': ({ agents }) => agents.model('id1'),
  'agents.jobs.create': ({ agents }) => agents.jobs.create('id1', { name: 'Job' }),
  'agents.jobs.delete': ({ agents }) => agents.jobs.delete('id1', 'id2'),
  'agents.jobs.get': ({ agents }) => agents.jobs.get('id1', 'id2'),
  'agents.jobs.list': ({ agents }) => agents.jobs.list('id1'),
  'agents.jobs.update': ({ agents }) => agents.jobs.update('id1', 'id2', {}),
  'agents.links.create': ({ agents }) => agents.links.create('id1', {}),
  'agents.links.delete': ({ agents }) => agents.links.delete('id1', 'id2'),
  'agents.links.get': ({ agents }) => agents.links.get('id1', 'id2'),
  'agents.links.list': ({ agents }) => agents.links.list('id1'),
  'agents.links.update': ({ agents }) => agents.links.update('id1', 'id2', {}),
  'agents.list': ({ agents }) => agents.list(),
  'agents.mcpServers.connect': ({ agents }) => agents.mcpServers.connect('id1', 'https://tickets.example/mcp'),
  'agents.mcpServers.disconnect': ({ agents }) => agents.mcpServers.disconnect('id1', 'https://tickets.example/mcp'),
  'agents.mcpServers.finishConnect': ({ agents }) => agents.mcpServers.finishConnect('id1', { state: 'x', code: 'y' }),
  'agents.mcpServers.check': ({ agents }) => agents.mcpServers.check('id1', { name: 'tickets' }),
  'agents.openApiTools.check': ({ agents }) => agents.openApiTools.check('id1', { name: 'crm' }),
  'agents.shortcuts.create': ({ agents }) => agents.shortcuts.create('id1', { name: 'Shortcut', prompt: 'Hi' }),
  'agents.shortcuts.delete': ({ agents }) => agents.shortcuts.delete('id1', 'id2'),
  'agents.shortcuts.get': ({ agents }) => agents.shortcuts.get('id1', 'id2'),
  'agents.shortcuts.list': ({ agents }) => agents.shortcuts.list('id1'),
  'agents.shortcuts.update': ({ agents }) => agents.shortcuts.update('id1', 'id2', {}),
  'agents.update': ({ agents }) => agents.update('id1', {}),
  'apiKeys.create': ({ apiKeys }) => apiKeys.create('id1', { name: 'Key' }),
  'apiKeys.list': ({ apiKeys }) => apiKeys.list('id1'),
  'apiKeys.rotate': ({ apiKeys }) => apiKeys.rotate('id1', 'id2'),
  'apiKeys.update': ({ apiKeys }) => apiKeys.update('id1', 'id2', { name: 'Key' }),
  'apiKeys.revoke': ({ apiKeys }) => apiKeys.revoke('id1', 'id2'),
  'signInProviders.create': ({ signInProviders }) =>
    signInProviders.create('id1', { id: 'acme', name: 'Acme', issuer: 'https://a.b', client_id: 'docent' }),
  'signInProviders.delete': ({ signInProviders }) => signInProviders.delete('id1', 'id2'),
  'signInProviders.list': ({ signInProviders }) => signInProviders.list('id1'),
  'signInProviders.replace': ({ signInProviders }) =>
    signInProviders.replace('id1', 'id2', { name: 'Acme', issuer: 'https://a.b', client_id: 'docent' }),
  'signInProviders.test': ({ signInProviders }) =>
    signInProviders.test('id1', { issuer: 'https://a.b', client_id: 'docent' }),
  'scimTokens.create': ({ scimTokens }) => scimTokens.create('id1', { name: 'Entra' }),
  'scimTokens.list': ({ scimTokens }) => scimTokens.list('id1'),
  'scimTokens.revoke': ({ scimTokens }) => scimTokens.revoke('id1', 'id2'),
  'browserOrigins.get': ({ browserOrigins }) => browserOrigins.get('id1'),
  'browserOrigins.put': ({ browserOrigins }) => browserOrigins.set('id1', ['https://a.b']),
  'userTokens.create': ({ userTokens }) =>
    userTokens.create({ virtual_user_email: 'ada@example.com', agent_ids: ['id1'] }),
  'auditLog.list': ({ auditLog }) => auditLog.list('id1'),
  'chats.create': ({ chats }) => chats.create('id1'),
  'chats.delete': ({ chats }) => chats.delete('id1', 'id2'),
  'chats.get': ({ chats }) => chats.get('id1', 'id2'),
  'chats.export': ({ chats }) => chats.export('id1', 'id2', 'md'),
  'chats.changeMany': ({ chats }) => chats.changeMany(['id1'], 'archive'),
  'chats.listOwn': ({ chats }) => chats.listOwn(),
  'chats.list': ({ chats }) => chats.list('id1'),
  'chats.queries.create': ({ chats }) => chats.query('id1', 'id2', { query: 'Why?' }),
  'chats.queries.createAsync': ({ chats }) =>
    chats.queryAsync('id1', 'id2', { query: 'Why?', webhook_url: 'https://a.b' }),
  'chats.search': ({ chats }) => chats.search({ query: 'kiln' }),
  'chats.share': ({ chats }) => chats.share('id1', 'id2'),
  'chats.listShared': ({ chats }) => chats.listShared(),
  'chats.readShared': ({ chats }) => chats.readShared('id1'),
  'chats.unshare': ({ chats }) => chats.unshare('id1'),
  'chats.update': ({ chats }) => chats.update('id1', 'id2', {}),
  'dataSources.addDocument': ({ dataSources }) => dataSources.add('id1', { file_id: 'id', data_source_title: 'File' }),
  'dataSources.changeMetadata': ({ dataSources }) => dataSources.changeMetadata('id1', { data_source_ids: ['id'] }),
  'dataSources.content': ({ dataSources }) => dataSources.content('id1', 'id2'),
  'dataSources.delete': ({ dataSources }) => dataSources.delete('id1', ['id']),
  'dataSources.download': ({ dataSources }) => dataSources.download('id1', ['id']),
  'dataSources.get': ({ dataSources }) => dataSources.get('id1', 'id2'),
  'dataSources.index': ({ dataSources }) => dataSources.index('id1', ['id']),
  'dataSources.cancelIndexing': ({ dataSources }) => dataSources.cancelIndexing('id1', ['id']),
  'dataSources.list': ({ dataSources }) => dataSources.list('id1'),
  'dataSources.locate': ({ dataSources }) => dataSources.locate('id1'),
  'dataSources.pushed.batch': ({ dataSources }) =>
    dataSources.pushed.batch('id1', [{ external_id: 'page', delete: true }]),
  'dataSources.pushed.delete': ({ dataSources }) => dataSources.pushed.delete('id1', 'id2'),
  'dataSources.pushed.get': ({ dataSources }) => dataSources.pushed.get('id1', 'id2'),
  'dataSources.pushed.put': ({ dataSources }) => dataSources.pushed.put('id1', 'id2', { title: 'Page', text: 'Text' }),
  'dataSources.readText': ({ dataSources }) => dataSources.text('id1', 'id2'),
  'dataSources.passageEdits.create': ({ dataSources }) =>
    dataSources.passageEdits.create('id1', 'id2', { kind: 'edit', ordinal: 0, text: 'Text' }),
  'dataSources.passageEdits.list': ({ dataSources }) => dataSources.passageEdits.list('id1', 'id2'),
  'dataSources.passageEdits.undo': ({ dataSources }) => dataSources.passageEdits.undo('id1', 'id2', 'id3'),
  'dataSources.replaceContent': ({ dataSources }) => dataSources.replaceContent('id1', 'id2', 'id'),
  'dataSources.readers.get': ({ dataSources }) => dataSources.readers.get('id1', 'id2'),
  'dataSources.readers.set': ({ dataSources }) => dataSources.readers.set('id1', 'id2', null),
  'dataSources.versions.content': ({ dataSources }) => dataSources.versions.content('id1', 'id2', 'id3'),
  'dataSources.versions.list': ({ dataSources }) => dataSources.versions.list('id1', 'id2'),
  'dataSources.versions.restore': ({ dataSources }) => dataSources.versions.restore('id1', 'id2', 'id3'),
  'dataSources.update': ({ dataSources }) => dataSources.update('id1', 'id2', {}),
  'doctor.examine': (docent) => docent.doctor(),
  'groups.create': ({ groups }) => groups.create({ name: 'Sales' }),
  'groups.delete': ({ groups }) => groups.delete('id1'),
  'groups.get': ({ groups }) => groups.get('id1'),
  'groups.list': ({ groups }) => groups.list(),
  'groups.update': ({ groups }) => groups.update('id1', { name: 'Sales' }),
  'integrations.apps': ({ integrations }) => integrations.apps(),
  'integrations.putApp': ({ integrations }) =>
    integrations.putApp('id1', 'google', { client_id: 'x', client_secret: 'y' }),
  'integrations.deleteApp': ({ integrations }) => integrations.deleteApp('id1', 'google'),
  'integrations.connect': ({ integrations }) => integrations.connect('google'),
  'integrations.finishConnect': ({ integrations }) => integrations.finishConnect({ state: 'x', code: 'y' }),
  'integrations.create': ({ integrations }) =>
    integrations.create({ kind: 'directory', knowledge_base_name: 'Folder' }),
  'integrations.delete': ({ integrations }) => integrations.delete('id1'),
  'integrations.get': ({ integrations }) => integrations.get('id1'),
  'integrations.list': ({ integrations }) => integrations.list(),
  'integrations.cancel': ({ integrations }) => integrations.cancel('id1'),
  'integrations.problems': ({ integrations }) => integrations.problems('id1'),
  'integrations.test': ({ integrations }) => integrations.test({ kind: 'directory', config: { path: '/srv' } }),
  'integrations.update': ({ integrations }) => integrations.update('id1', { is_paused: true }),
  'integrations.sync': ({ integrations }) => integrations.sync('id1'),
  'invitations.accept': ({ links }) =>
    links.acceptInvitation({ token: 'token', email: 'ada@example.com', name: 'Ada', password: 'password' }),
  'invitations.create': ({ invitations }) => invitations.create({ role: 'member' }),
  'invitations.list': ({ invitations }) => invitations.list(),
  'invitations.look': ({ links }) => links.lookAtInvitation('token'),
  'invitations.revoke': ({ invitations }) => invitations.revoke('id1'),
  'knowledgeBases.grants.get': ({ knowledgeBases }) => knowledgeBases.grants.get('id1'),
  'knowledgeBases.grants.set': ({ knowledgeBases }) =>
    knowledgeBases.grants.set('id1', [{ kind: 'group', id: 'id2', level: 'read' }]),
  'knowledgeBases.create': ({ knowledgeBases }) => knowledgeBases.create({ knowledge_base_name: 'Folder' }),
  'knowledgeBases.delete': ({ knowledgeBases }) => knowledgeBases.delete('id1'),
  'knowledgeBases.download': ({ knowledgeBases }) => knowledgeBases.download('id1', { after: 'a.txt' }),
  'knowledgeBases.follow': ({ knowledgeBases }) =>
    knowledgeBases
      .follow('id1')
      .next()
      .catch(() => {}),
  'knowledgeBases.get': ({ knowledgeBases }) => knowledgeBases.get('id1'),
  'knowledgeBases.list': ({ knowledgeBases }) => knowledgeBases.list(),
  'knowledgeBases.search': ({ knowledgeBases }) => knowledgeBases.search('id1', { query: 'kiln' }),
  'knowledgeBases.update': ({ knowledgeBases }) => knowledgeBases.update('id1', {}),
  'me.get': (docent) => docent.me(),
  'members.secondFactor.get': ({ members }) => members.secondFactor.get('id1'),
  'members.secondFactor.set': ({ members }) => members.secondFactor.set('id1', true),
  'members.removeTwoFactor': ({ members }) => members.removeTwoFactor('id1'),
  'members.createPasswordLink': ({ members }) => members.createPasswordLink('id1'),
  'members.create': ({ members }) => members.create({ email: 'ada@example.com', name: 'Ada' }),
  'members.get': ({ members }) => members.get('id1'),
  'members.picture': ({ members }) => members.picture('id1'),
  'members.list': ({ members }) => members.list(),
  'members.remove': ({ members }) => members.remove('id1'),
  'members.update': ({ members }) => members.update('id1', { role: 'admin' }),
  'messages.cancel': ({ chats }) => chats.messages.cancel('id1', 'id2', 'id3'),
  'messages.delete': ({ chats }) => chats.messages.delete('id1', 'id2', 'id3'),
  'messages.events': ({ chats }) => chats.messages.events('id1', 'id2', 'id3').next(),
  'messages.retrieval': ({ chats }) => chats.messages.retrieval('id1', 'id2', 'id3'),
  'messages.rights': ({ chats }) => chats.messages.rights('id1', 'id2', 'id3'),
  'messages.get': ({ chats }) => chats.messages.get('id1', 'id2', 'id3'),
  'messages.giveFeedback': ({ chats }) => chats.messages.giveFeedback('id1', 'id2', 'id3', { rating: 'up' }),
  'messages.listPinned': ({ chats }) => chats.messages.listPinned(),
  'messages.list': ({ chats }) => chats.messages.list('id1', 'id2'),
  'messages.review': ({ chats }) => chats.messages.review('id1', 'id2', 'id3', { decision: 'approve' }),
  'messages.update': ({ chats }) => chats.messages.update('id1', 'id2', 'id3', {}),
  'outputs.download': ({ files }) => files.download('https://docent.example/v1/outputs/id1/id2/id3?signature=s'),
  'passwordLinks.request': ({ links }) => links.requestPassword('ada@example.com'),
  'passwordLinks.use': ({ links }) => links.setPassword('token', 'password'),
  'reviews.list': ({ reviews }) => reviews.list('id1'),
  'session.create': ({ session }) => session.create('dct_key'),
  'session.beginWithProvider': ({ session }) => session.beginWithProvider('id1'),
  'session.createWithProvider': ({ session }) => session.createWithProvider('id1', '?code=1'),
  'session.createWithSecondFactor': ({ session }) => session.createWithSecondFactor('123456'),
  'session.beginWithPasskey': ({ session }) => session.beginWithPasskey(),
  'session.createWithPasskey': ({ session }) =>
    session.createWithPasskey({ id: 'id', client_data: 'e30', authenticator_data: 'AA', signature: 'AA' }),
  'session.createWithPassword': ({ session }) => session.createWithPassword('ada@example.com', 'password'),
  'session.delete': ({ session }) => session.delete(),
  'session.options': ({ session }) => session.options(),
  'session.get': ({ session }) => session.get(),
  'modelDefaults.get': ({ modelDefaults }) => modelDefaults.get('id1'),
  'modelDefaults.put': ({ modelDefaults }) => modelDefaults.put('id1', {}),
  'modelDefaults.testReranking': ({ modelDefaults }) => modelDefaults.testReranking('id1', { model: 'acme/x' }),
  'modelProviders.delete': ({ modelProviders }) => modelProviders.delete('id1', 'id2'),
  'modelProviders.list': ({ modelProviders }) => modelProviders.list('id1'),
  'modelProviders.put': ({ modelProviders }) => modelProviders.put('id1', 'id2', { kind: 'openai' }),
  'modelProviders.test': ({ modelProviders }) => modelProviders.test('id1', 'id2'),
  'models.check': ({ models }) => models.check(),
  'models.list': ({ models }) => models.list(),
  'evaluation.cases.add': ({ evaluation }) =>
    evaluation.cases.add('id1', 'id2', { from: 'cases', cases: [{ question: 'Why?' }] }),
  'evaluation.cases.delete': ({ evaluation }) => evaluation.cases.delete('id1', 'id2', 'id3'),
  'evaluation.cases.list': ({ evaluation }) => evaluation.cases.list('id1', 'id2'),
  'evaluation.cases.update': ({ evaluation }) => evaluation.cases.update('id1', 'id2', 'id3', {}),
  'evaluation.runs.cancel': ({ evaluation }) => evaluation.runs.cancel('id1', 'id2'),
  'evaluation.runs.compare': ({ evaluation }) => evaluation.runs.compare('id1', 'id2', 'id3'),
  'evaluation.runs.export': ({ evaluation }) => evaluation.runs.export('id1', 'id2'),
  'evaluation.runs.get': ({ evaluation }) => evaluation.runs.get('id1', 'id2'),
  'evaluation.runs.list': ({ evaluation }) => evaluation.runs.list('id1'),
  'evaluation.runs.results': ({ evaluation }) => evaluation.runs.results('id1', 'id2'),
  'evaluation.runs.start': ({ evaluation }) => evaluation.runs.start('id1', 'id2'),
  'evaluation.sets.create': ({ evaluation }) => evaluation.sets.create('id1', { name: 'Set' }),
  'evaluation.sets.delete': ({ evaluation }) => evaluation.sets.delete('id1', 'id2'),
  'evaluation.sets.get': ({ evaluation }) => evaluation.sets.get('id1', 'id2'),
  'evaluation.sets.list': ({ evaluation }) => evaluation.sets.list('id1'),
  'evaluation.sets.update': ({ evaluation }) => evaluation.sets.update('id1', 'id2', {}),
  'projects.chats.list': ({ projects }) => projects.chats('id1'),
  'projects.create': ({ projects }) => projects.create({ name: 'Project' }),
  'projects.delete': ({ projects }) => projects.delete('id1'),
  'projects.get': ({ projects }) => projects.get('id1'),
  'projects.list': ({ projects }) => projects.list(),
  'projects.update': ({ projects }) => projects.update('id1', { name: 'Project' }),
  'quotas.delete': ({ quotas }) => quotas.delete('id1', 'id2'),
  'quotas.list': ({ quotas }) => quotas.list('id1'),
  'quotas.set': ({ quotas }) => quotas.set('id1', { subject: { type: 'workspace' }, period: 'day', max_messages: 1 }),
  'shared.logo': ({ shared }) => shared.logo('id1'),
  'shared.get': ({ shared }) => shared.get('id1'),
  'shared.visits.create': ({ shared }) => shared.visit('id1'),
  'shares.create': ({ shares }) => shares.create('id1', 'id'),
  'shares.delete': ({ shares }) => shares.delete('id1', 'id2'),
  'shares.list': ({ shares }) => shares.list('id1'),
  'streamCheck.run': (docent) => docent.streamCheck(),
  'uploadedFiles.create': ({ files }) => files.upload(new Blob(['words'])),
  'usage.get': ({ usage }) => usage.get('id1'),
  'usage.prices': ({ usage }) => usage.prices('id1'),
  'virtualUsers.chats': ({ virtualUsers }) => virtualUsers.chats('id1', 'id2'),
  'virtualUsers.create': ({ virtualUsers }) => virtualUsers.create('id1', { email: 'ada@example.com' }),
  'virtualUsers.delete': ({ virtualUsers }) => virtualUsers.delete('id1', 'id2'),
  'virtualUsers.merge': ({ virtualUsers }) => virtualUsers.merge('id1', 'id2', 'id3'),
  'virtualUsers.erase': ({ virtualUsers }) => virtualUsers.erase('id1', 'id2'),
  'virtualUsers.export': ({ virtualUsers }) => virtualUsers.export('id1', 'id2'),
  'virtualUsers.get': ({ virtualUsers }) => virtualUsers.get('id1', 'id2'),
  'virtualUsers.grants.get': ({ virtualUsers }) => virtualUsers.grants.get('id1', 'id2'),
  'virtualUsers.grants.set': ({ virtualUsers }) =>
    virtualUsers.grants.set('id1', 'id2', { knowledge_base_ids: ['id3'] }),
  'virtualUsers.list': ({ virtualUsers }) => virtualUsers.list('id1'),
  'virtualUsers.memories.delete': ({ virtualUsers }) => virtualUsers.memories.delete('id1', 'id2', 'id3'),
  'virtualUsers.memories.list': ({ virtualUsers }) => virtualUsers.memories.list('id1', 'id2'),
  'virtualUsers.update': ({ virtualUsers }) => virtualUsers.update('id1', 'id2', {}),
  'virtualUsers.usage': ({ virtualUsers }) => virtualUsers.usage('id1', 'id2'),
  'searchIndex.cancel': ({ searchIndex }) => searchIndex.cancel('id1'),
  'searchIndex.choose': ({ searchIndex }) => searchIndex.choose('id1', { source: 'none' }),
  'searchIndex.get': ({ searchIndex }) => searchIndex.get('id1'),
  'searchIndex.test': ({ searchIndex }) => searchIndex.test('id1', { model: 'acme/x' }),
  'transcription.create': ({ transcription }) => transcription.create({ audio: 'eA==' }),
  'transcription.get': ({ transcription }) => transcription.get(),
  'webSearch.delete': ({ webSearch }) => webSearch.delete('id1'),
  'webSearch.get': ({ webSearch }) => webSearch.get('id1'),
  'webSearch.put': ({ webSearch }) => webSearch.put('id1', { kind: 'brave', api_key: 'x' }),
  'webSearch.test': ({ webSearch }) => webSearch.test('id1'),
  'webhooks.deliveries.get': ({ webhooks }) => webhooks.deliveries.get('id1', 'id2'),
  'webhooks.deliveries.list': ({ webhooks }) => webhooks.deliveries.list('id1'),
  'webhooks.deliveries.redeliver': ({ webhooks }) => webhooks.deliveries.redeliver('id1', 'id2'),
  'webhooks.endpoints.create': ({ webhooks }) =>
    webhooks.endpoints.create('id1', { url: 'https://a.b', event_types: ['message.waiting'] }),
  'webhooks.endpoints.delete': ({ webhooks }) => webhooks.endpoints.delete('id1', 'id2'),
  'webhooks.endpoints.deliveries.get': ({ webhooks }) => webhooks.endpoints.deliveries.get('id1', 'id2', 'id3'),
  'webhooks.endpoints.deliveries.list': ({ webhooks }) => webhooks.endpoints.deliveries.list('id1', 'id2'),
  'webhooks.endpoints.deliveries.redeliver': ({ webhooks }) =>
    webhooks.endpoints.deliveries.redeliver('id1', 'id2', 'id3'),
  'webhooks.endpoints.get': ({ webhooks }) => webhooks.endpoints.get('id1', 'id2'),
  'webhooks.endpoints.list': ({ webhooks }) => webhooks.endpoints.list('id1'),
  'webhooks.endpoints.rotate': ({ webhooks }) => webhooks.endpoints.rotate('id1', 'id2'),
  'webhooks.endpoints.test': ({ webhooks }) => webhooks.endpoints.test('id1', 'id2'),
  'webhooks.endpoints.update': ({ webhooks }) => webhooks.endpoints.update('id1', 'id2', { is_enabled: false }),
  'webhooks.listen': ({ webhooks }) =>
    webhooks
      .listen('id1')
      .next()
      .catch(() => {}),
  'webhooks.secret.get': ({ webhooks }) => webhooks.secret.get('id1'),
  'webhooks.secret.rotate': ({ webhooks }) => webhooks.secret.rotate('id1'),
}

interface Operation {
  operationId: OperationId
  parameters?: { name: string; schema: { enum?: string[] } }[]
}

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, Operation>>
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId, parameters = [] }]) => {
    const choices = new Map(parameters.map(({ name, schema }) => [name, schema.enum]))
    let number = 0
    const called = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
      number++
      return choices.get(name)?.[0] ?? `id${number}`
    })
    return { operationId, method: method.toUpperCase(), called }
  }),
)

describe('every operation of the API has a method', () => {
  test.each(operations)('$operationId', async ({ operationId, method, called }) => {
    const call = CALLS[operationId]
    expect(call, `add a method for ${operationId} to sdk/src, and its line to CALLS in this file`).toBeDefined()
    const { sent, docent } = recordingClient()
    await call(docent)
    expect(sent.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([`${method} ${called}`])
  })

  test('and none is left of an operation that went', () =>
    expect(Object.keys(CALLS).sort()).toEqual(operations.map(({ operationId }) => operationId).sort()))
})
