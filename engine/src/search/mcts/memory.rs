//! The memory of a search tree: the nodes that were visited, and the moves of those among them that have a list.
//!
//! Moves are tried in the order of the list, the likeliest first, so the children of a node belong to its first moves. A
//! move that was not tried takes four bytes. The children of a node are side by side, in a block of one, two, four, eight
//! places and so on; they move to a larger one where they no longer fit, and the old one is used again.

use crate::game::{Move, Team};

/// A probability in two bytes, to one part in 256.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub struct Prior(u16);

impl Prior {
    /// The upper half of the number, rounded.
    pub fn new(chance: f32) -> Self {
        Prior(((chance.to_bits() + 0x8000) >> 16) as u16)
    }

    /// The number.
    #[inline]
    pub fn get(self) -> f32 {
        f32::from_bits(u32::from(self.0) << 16)
    }
}

/// A move of a node, and how likely it is.
#[derive(Clone, Copy)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// How likely it is.
    pub prior: Prior,
}

/// A result for ONE that is certain, if there is one, in two bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven(i16);

impl Proven {
    /// Nothing is certain.
    pub const UNKNOWN: Proven = Proven(i16::MIN);

    /// This result is certain.
    #[inline]
    pub fn of(result: i16) -> Self {
        Proven(result)
    }

    /// The result.
    #[inline]
    pub fn get(self) -> Option<i16> {
        self.is_known().then_some(self.0)
    }

    /// Whether there is one.
    #[inline]
    pub fn is_known(self) -> bool {
        self != Proven::UNKNOWN
    }
}

/// A node that was visited, or is about to be.
#[derive(Clone, Copy)]
pub struct Node {
    /// The sum of results for ONE, from 0 to 1 each.
    pub sum: f64,
    /// How often it was visited.
    pub visits: u32,
    /// Where its children begin.
    first: u32,
    /// Where its moves begin.
    list: u32,
    /// The move that leads here.
    pub m: Move,
    /// How likely that is.
    pub prior: Prior,
    children: u16,
    moves: u16,
    /// Who is to move, once it was evaluated.
    pub team: Team,
    /// Whether all legal moves are in its list, so that a loss can be proven.
    pub complete: bool,
    /// How it ends, if that is certain.
    pub proven: Proven,
}

impl Node {
    fn new(Choice { m, prior }: Choice, team: Team) -> Self {
        let (first, list, children, moves) = (0, 0, 0, 0);
        Node {
            sum: 0.0,
            visits: 0,
            first,
            list,
            m,
            prior,
            children,
            moves,
            team,
            complete: false,
            proven: Proven::UNKNOWN,
        }
    }

    /// Whether it has a list of moves.
    #[inline]
    pub fn is_expanded(&self) -> bool {
        self.moves > 0
    }

    /// How many moves its list has.
    #[inline]
    pub fn number_of_moves(&self) -> usize {
        self.moves as usize
    }
}

/// Blocks hold up to 2 to the 16th nodes.
const SIZES: usize = 17;

/// All nodes of a tree, the root at index 0, and their lists of moves.
#[derive(Default)]
pub struct Memory {
    nodes: Vec<Node>,
    choices: Vec<Choice>,
    /// The first free block of each size; the next one is where the children of its first node would be. 0 for none.
    free: [u32; SIZES],
}

impl std::ops::Index<usize> for Memory {
    type Output = Node;

    #[inline]
    fn index(&self, index: usize) -> &Node {
        &self.nodes[index]
    }
}

impl std::ops::IndexMut<usize> for Memory {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }
}

impl Memory {
    /// Forgets everything but a root of which nothing is known.
    pub fn clear(&mut self, team: Team) {
        self.nodes.clear();
        self.choices.clear();
        self.free = [0; SIZES];
        self.nodes.push(Node::new(Choice { m: Move(0), prior: Prior::new(1.0) }, team));
    }

    /// Bytes of all that is kept.
    #[inline]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.choices)
    }

    /// Where the children of a node are: those of its first moves.
    #[inline]
    pub fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        node.first as usize..node.first as usize + node.children as usize
    }

    /// The list of a node's moves, the likeliest first.
    #[cfg(test)]
    pub fn moves(&self, index: usize) -> &[Choice] {
        let node = &self.nodes[index];
        &self.choices[node.list as usize..node.list as usize + node.moves as usize]
    }

    /// The likeliest move of a node that was not tried.
    #[inline]
    pub fn next_move(&self, index: usize) -> Option<Choice> {
        let node = &self.nodes[index];
        (node.children < node.moves).then(|| self.choices[node.list as usize + node.children as usize])
    }

    /// Gives a node its moves, the likeliest first. If it has children, these are of the first of them.
    pub fn set_moves(&mut self, index: usize, list: impl Iterator<Item = Choice>) {
        let start = self.choices.len();
        self.choices.extend(list);
        let moves = (self.choices.len() - start) as u16;
        (self.nodes[index].list, self.nodes[index].moves) = (start as u32, moves);
        for (i, child) in self.children(index).enumerate() {
            debug_assert!(self.nodes[child].m == self.choices[start + i].m);
            self.nodes[child].prior = self.choices[start + i].prior;
        }
    }

    /// Makes the child of the likeliest move that was not tried, which must be there.
    pub fn add_child(&mut self, index: usize) -> usize {
        let node = self.nodes[index];
        let (first, number) = (node.first as usize, node.children as usize);
        let choice = self.choices[node.list as usize + number];
        if number == 0 || number.is_power_of_two() {
            let to = self.allocate(if number == 0 { 0 } else { number.trailing_zeros() as usize + 1 });
            self.nodes.copy_within(first..first + number, to);
            self.nodes[index].first = to as u32;
            if number > 0 {
                let size = number.trailing_zeros() as usize;
                self.nodes[first].first = self.free[size];
                self.free[size] = first as u32;
            }
        }
        let child = self.nodes[index].first as usize + number;
        self.nodes[child] = Node::new(choice, Team::One);
        self.nodes[index].children += 1;
        child
    }

    /// A block of 2 to the `size` places.
    fn allocate(&mut self, size: usize) -> usize {
        let free = self.free[size] as usize;
        if free > 0 {
            self.free[size] = self.nodes[free].first;
            return free;
        }
        let start = self.nodes.len();
        self.nodes.resize(start + (1 << size), Node::new(Choice { m: Move(0), prior: Prior(0) }, Team::One));
        start
    }

    /// Drops all nodes but those at and below `root`, which becomes the root. Meanwhile this needs less than a tenth of
    /// what is kept.
    pub fn keep_only(&mut self, root: usize) {
        if root == 0 {
            return;
        }
        let mut expanded = vec![root as u32];
        let mut done = 0;
        while done < expanded.len() {
            let children = self.children(expanded[done] as usize);
            expanded.extend(children.filter(|&i| self.nodes[i].is_expanded()).map(|i| i as u32));
            done += 1;
        }
        expanded.sort_unstable_by_key(|&i| self.nodes[i as usize].list);
        let mut end = 0;
        for &i in &expanded {
            let Node { list, moves, .. } = &mut self.nodes[i as usize];
            self.choices.copy_within(*list as usize..*list as usize + *moves as usize, end);
            *list = end as u32;
            end += *moves as usize;
        }
        self.choices.truncate(end);
        // Blocks keep their order, so each moves to where nothing is that is yet to move. Where the children will be is
        // written down before any node moves.
        expanded.sort_unstable_by_key(|&i| self.nodes[i as usize].first);
        let mut end = 1_usize;
        let mut moved = Vec::with_capacity(expanded.len());
        for &i in &expanded {
            let Node { first, children, .. } = &mut self.nodes[i as usize];
            if *children > 0 {
                moved.push((*first, *children, end as u32));
                *first = end as u32;
                end += (*children as usize).next_power_of_two();
            }
        }
        self.nodes[0] = self.nodes[root];
        for (from, number, to) in moved {
            self.nodes.copy_within(from as usize..from as usize + number as usize, to as usize);
        }
        self.nodes.truncate(end);
        self.free = [0; SIZES];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_32_bytes_and_a_move_four() {
        assert_eq!((size_of::<Node>(), size_of::<Choice>()), (32, 4));
    }

    #[test]
    fn priors_are_kept_to_one_part_in_256_and_in_their_order() {
        for i in 1..2000 {
            let (chance, next) = (1.0 / i as f32, 1.0 / (i + 1) as f32);
            assert!((Prior::new(chance).get() / chance - 1.0).abs() < 1.0 / 256.0);
            assert!(Prior::new(next) <= Prior::new(chance));
        }
        assert_eq!(Prior::new(1.0).get(), 1.0);
        assert_eq!(Prior::new(0.0).get(), 0.0);
    }

    /// A tree that grows at random places, as lists of moves from the root.
    fn paths(memory: &Memory, index: usize, path: &[u16], all: &mut Vec<(Vec<u16>, u32)>) {
        all.push((path.to_vec(), memory[index].visits));
        for (i, child) in memory.children(index).enumerate() {
            assert!(memory[child].m == memory.moves(index)[i].m);
            paths(memory, child, &[path, &[memory[child].m.0]].concat(), all);
        }
    }

    #[test]
    fn children_stay_what_they_are_when_blocks_move_and_roots_change() {
        let mut random = crate::random::Random::new(3);
        let mut memory = Memory::default();
        memory.clear(Team::One);
        let mut parts = vec![];
        for step in 0..4000_u32 {
            let mut index = 0;
            loop {
                if !memory[index].is_expanded() {
                    let number = 1 + random.below(40) as u16;
                    memory.set_moves(index, (0..number).map(|i| Choice { m: Move(i), prior: Prior::new(0.5) }));
                }
                let children = memory.children(index);
                if memory.next_move(index).is_some() && random.below(1 + children.len() as u32) == 0 {
                    let child = memory.add_child(index);
                    memory[child].visits = step;
                    break;
                }
                index = children.start + random.below(children.len() as u32) as usize;
            }
            if step % 1000 == 999 {
                let root = memory.children(0).max_by_key(|&i| memory.children(i).len()).expect("a child");
                let m = memory[root].m.0;
                let (mut before, mut after) = (vec![], vec![]);
                paths(&memory, root, &[], &mut before);
                let bytes = memory.bytes();
                memory.keep_only(root);
                paths(&memory, 0, &[], &mut after);
                assert_eq!(before, after, "below {m}");
                assert!(memory.bytes() < bytes);
                parts.push(after.len());
            }
        }
        assert!(parts.iter().all(|&number| number > 20), "{parts:?}");
    }
}
