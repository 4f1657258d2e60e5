import {
  type BinaryOperationNode,
  type ColumnDefinitionNode,
  type CompiledQuery,
  type DataTypeNode,
  type InsertQueryNode,
  type OperationNode,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
  type QueryId,
  type RawNode,
  type RootOperationNode,
  type ValueListNode,
} from 'kysely'
import { isAcrossOrganizations } from '../statements/across-organizations.ts'

/** Rows that a statement may see and write. */
export type Scope = 'all' | { /** Places of its parameters that hold the organization. */ parameters: number[] }
export interface ScopedQuery<R = unknown> extends CompiledQuery<R> {
  scope?: Scope
}

/** Orders and compares as SQLite does, and holds numbers as large, whatever the operator's database is set to. */
const COLUMN_TYPES: Record<string, string> = {
  text: 'text collate "C"',
  integer: 'bigint',
  real: 'double precision',
}

/** PostgreSQL's SQL, with a note of the organization that a statement names. */
export class ScopingCompiler extends PostgresQueryCompiler {
  #organizations: number[] = []
  /** Place of `organization_id` among the columns of the insert that is being compiled. */
  #column = -1
  #isInColumn = false

  override compileQuery(node: RootOperationNode, queryId: QueryId): ScopedQuery {
    this.#organizations = []
    const compiled = super.compileQuery(node, queryId)
    const scope: Scope = isAcrossOrganizations(node) ? 'all' : { parameters: this.#organizations }
    return { ...compiled, scope }
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator } = node.operator as { operator?: string }
    // An empty list is no SQL to PostgreSQL; SQLite takes it for what it says.
    if ((operator === 'in' || operator === 'not in') && isEmptyList(node.rightOperand)) {
      this.append(operator === 'in' ? 'false' : 'true')
      return
    }
    super.visitBinaryOperation(node)
    if (operator === '=' && isOrganization(node.leftOperand) && isParameter(node.rightOperand)) this.#note()
  }

  protected override visitRaw(node: RawNode): void {
    node.sqlFragments.forEach((fragment, index) => {
      this.append(fragment)
      const parameter = node.parameters[index]
      if (!parameter) return
      this.visitNode(parameter)
      if (/\borganization_id\s*=\s*$/i.test(fragment) && isParameter(parameter)) this.#note()
    })
  }

  protected override visitInsertQuery(node: InsertQueryNode): void {
    const outer = this.#column
    this.#column = node.columns?.findIndex(({ column }) => column.name === 'organization_id') ?? -1
    super.visitInsertQuery(node)
    this.#column = outer
  }

  protected override visitPrimitiveValueList(node: PrimitiveValueListNode): void {
    if (this.#isRowOfInsert()) this.#organizations.push(this.numParameters + this.#column)
    super.visitPrimitiveValueList(node)
  }

  protected override visitValueList(node: ValueListNode): void {
    const column = this.#isRowOfInsert() ? this.#column : -1
    this.append('(')
    node.values.forEach((value, index) => {
      if (index > 0) this.append(', ')
      this.visitNode(value)
      if (index === column && isParameter(value)) this.#note()
    })
    this.append(')')
  }

  protected override visitColumnDefinition(node: ColumnDefinitionNode): void {
    this.#isInColumn = true
    super.visitColumnDefinition(node)
    this.#isInColumn = false
  }

  protected override visitDataType(node: DataTypeNode): void {
    const type = this.#isInColumn ? COLUMN_TYPES[node.dataType] : undefined
    if (type) this.append(type)
    else super.visitDataType(node)
  }

  #isRowOfInsert(): boolean {
    return this.#column >= 0 && this.parentNode?.kind === 'ValuesNode'
  }

  /** The parameter that was added last is an organization. */
  #note(): void {
    this.#organizations.push(this.numParameters - 1)
  }
}

const isEmptyList = (node: OperationNode): boolean =>
  (node.kind === 'PrimitiveValueListNode' || node.kind === 'ValueListNode') &&
  (node as PrimitiveValueListNode).values.length === 0

const isParameter = (node: OperationNode): boolean =>
  node.kind === 'ValueNode' && !(node as { immediate?: boolean }).immediate

function isOrganization(node: OperationNode): boolean {
  const column = (node as { column?: { kind: string; column?: { name: string } } }).column
  return node.kind === 'ReferenceNode' && column?.kind === 'ColumnNode' && column.column?.name === 'organization_id'
}
