import type { Member } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMe } from '../../access/access.ts'
import { CheckField, Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { useGroups } from './members.queries.ts'

type Role = Member['role']

/** Roles of members, weakest first. */
const ROLES: { role: Role; name: string; about: string }[] = [
  { role: 'member', name: t`Member`, about: t`Uses and makes folders, agents and chats.` },
  { role: 'admin', name: t`Admin`, about: t`Also manages members, keys, people, webhooks and usage.` },
  { role: 'owner', name: t`Owner`, about: t`Everything that admins may do, and makes others owners.` },
]

/** Choice of a role, up to one's own. */
export function RoleField({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  const own = useMe().data!.key.role
  const given = ROLES.slice(0, ROLES.findIndex((one) => one.role === own) + 1)
  return (
    <Field label={t`Role`} hint={ROLES.find((one) => one.role === role)!.about}>
      {(control) => (
        <Select {...control} value={role} onChange={({ target }) => onChange(target.value as Role)}>
          {given.map((one) => (
            <option key={one.role} value={one.role}>
              {one.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

/** Choice among the groups of the workspace; nothing where there are none. */
export function GroupsField({ chosen, onChange }: { chosen: string[]; onChange: (ids: string[]) => void }) {
  const { data } = useGroups()
  if (!data || data.groups.length === 0) return null
  return (
    <fieldset>
      <legend className="mb-2 font-medium">
        <Trans>Groups</Trans>
      </legend>
      <div className="max-h-60 space-y-2.5 overflow-y-auto">
        {data.groups.map(({ id, name }) => (
          <CheckField
            key={id}
            label={name}
            checked={chosen.includes(id)}
            onChange={({ target }) => onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </div>
    </fieldset>
  )
}
