// What client.cpp gives to player.cpp, and what it wants from there.
#pragma once

#include <map>
#include <string>
#include <vector>

/// An XML element. What is missing is an empty element, an empty text, or 0.
struct Element {
    std::string name, text;
    std::map<std::string, std::string> attributes;
    std::vector<Element> children;

    std::string attribute(const std::string& key) const;
    /// The attribute as a whole number.
    int number(const std::string& key) const;
    bool has(const std::string& child_name) const;
    /// The first child of this name.
    const Element& child(const std::string& child_name) const;
    /// The children of this name.
    std::vector<const Element*> all(const std::string& child_name) const;
};

/// The data to answer a request in this state with: player.cpp.
std::string choose_move(const Element& state);
