export interface DueTask {
  /** Milliseconds since the epoch, by the world's clock. */
  at: number
  work: (until: number) => void | Promise<void>
  what?: string | undefined
}

/** Two tasks for one instant keep the order in which they were scheduled. */
export class DueTasks {
  #tasks: DueTask[] = []

  get first(): DueTask | undefined {
    return this.#tasks[0]
  }

  has(what: string): boolean {
    return this.#tasks.some((task) => task.what === what)
  }

  add(task: DueTask): void {
    let [low, high] = [0, this.#tasks.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#tasks[middle]!.at <= task.at) low = middle + 1
      else high = middle
    }
    this.#tasks.splice(low, 0, task)
  }

  takeDue(until: number): DueTask | undefined {
    const { first } = this
    return first && first.at <= until ? this.#tasks.shift() : undefined
  }

  remove(task: DueTask): void {
    this.#tasks = this.#tasks.filter((each) => each !== task)
  }

  clear(): void {
    this.#tasks = []
  }
}
