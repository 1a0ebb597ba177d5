import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An XML element. What is missing is never null: an empty element, an empty text, or 0. */
final class Element {
    static final Element NONE = new Element("");

    final String name;
    final Map<String, String> attributes = new HashMap<>();
    final List<Element> children = new ArrayList<>();
    String text = "";

    Element(String name) {
        this.name = name;
    }

    String attribute(String key) {
        return attributes.getOrDefault(key, "");
    }

    /** The attribute as a whole number. */
    int number(String key) {
        try {
            return Integer.parseInt(attribute(key));
        } catch (NumberFormatException noNumber) {
            return 0;
        }
    }

    boolean has(String childName) {
        return child(childName) != NONE;
    }

    /** The first child of this name. */
    Element child(String childName) {
        for (Element child : children)
            if (child.name.equals(childName)) return child;
        return NONE;
    }

    /** The children of this name. */
    List<Element> all(String childName) {
        return children.stream().filter(child -> child.name.equals(childName)).toList();
    }
}
